//! The export of all data of a user. The export is written to disk from one snapshot of the
//! database, so a slow download blocks no database connection and needs little memory. The length
//! is known before the download, so a truncated download is noticed.

use crate::{
    app::context::Context,
    base::temp_files,
    storage::{
        self,
        export::{self, Section},
    },
};
use anyhow::Context as _;
use futures::TryStreamExt;
use serde_json::json;
use std::io::SeekFrom;
use tokio::{
    fs::File,
    io::{AsyncSeekExt, AsyncWriteExt, BufWriter},
};
use uuid::Uuid;

/// Writes the export of a user. Returns the file, open at its beginning, and its size in bytes. The
/// file has no name in the file system, so it disappears when it is closed or the process ends.
pub async fn write_to_disk(context: &Context, user_id: Uuid) -> anyhow::Result<(File, u64)> {
    let mut out = BufWriter::new(
        temp_files::create_unnamed(context.config.data.data.clone())
            .await
            .context("creating a file in the data folder")?,
    );
    let mut snapshot = storage::snapshot(&context.db).await?;
    out.write_all(format!("{{\"exportedAt\":{}", json!(context.clock.moment())).as_bytes()).await?;
    for section in Section::ALL {
        let is_one = section == Section::Profile;
        let opening = if is_one { "" } else { "[" };
        out.write_all(format!(",\n{}:{opening}", json!(section.name())).as_bytes()).await?;
        let mut rows = export::rows(&mut snapshot, section, user_id);
        let mut is_first = true;
        while let Some(row) = rows.try_next().await? {
            let separator = if is_first { "" } else { ",\n" };
            out.write_all(format!("{separator}{row}").as_bytes()).await?;
            is_first = false;
        }
        if is_one && is_first {
            out.write_all(b"null").await?;
        }
        out.write_all(if is_one { b"" } else { b"]" }).await?;
    }
    out.write_all(b"}\n").await?;
    out.flush().await?;
    let mut file = out.into_inner();
    let length = file.stream_position().await?;
    file.seek(SeekFrom::Start(0)).await?;
    Ok((file, length))
}
