pub(crate) mod review_store;
pub(crate) mod view;
