//! Newspaper pages: operators upload files, workers read the pages, and the result of each page is
//! stored. The portal itself opens no files of pages.

pub(crate) mod leases;
pub(crate) mod manage;
pub(crate) mod reading;
