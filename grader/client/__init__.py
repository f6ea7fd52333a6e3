"""A student's side of the service: the token (`login`), `/api/v1` (`service`), what came of it in words (`told`)."""
