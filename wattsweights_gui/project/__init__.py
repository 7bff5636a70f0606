"""The document, its file, the recovery of unsaved work and the recent projects."""
