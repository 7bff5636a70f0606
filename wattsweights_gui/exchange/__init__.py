"""Formats that come in or go out, one file a format; :mod:`registry` knows them all."""
