"""The image in which the docker backend runs programs: made of this machine's own files, or with the Dockerfile."""
