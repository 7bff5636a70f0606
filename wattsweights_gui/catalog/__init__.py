"""Hardware as data: the loader of the shipped catalogues."""
