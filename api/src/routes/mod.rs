//! The handlers: a folder a resource, a file a verb; request, response, documentation and handler together.
