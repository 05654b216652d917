pub(crate) mod local_index;
pub(crate) mod sender;
pub(crate) mod sent;
