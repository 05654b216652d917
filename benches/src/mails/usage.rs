//! Resource usage of processes on this machine, from `/proc`.

use anyhow::{Context, Result};
use serde::Serialize;
use std::fs;

/// Clock ticks per second in `/proc`, independent of the kernel's own rate.
const TICKS_PER_SECOND: f64 = 100.0;

/// The usage of a process or of a process family.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(crate) struct Usage {
    /// CPU time, in user and system mode.
    pub(crate) cpu_s: f64,
    /// The peak resident memory in MB (10^6 bytes). 0 for a process family, because its processes
    /// share memory.
    peak_mb: f64,
}

impl Usage {
    /// Returns the usage of one process.
    pub(crate) fn of(process: u32) -> Result<Self> {
        let peak_mb = status_field(process, "VmHWM:")? * 1024.0 / 1e6;
        Ok(Self { cpu_s: rounded(ProcessStat::of(process)?.own), peak_mb: rounded(peak_mb) })
    }

    /// Returns the usage of a process and its children, including ended ones.
    pub(crate) fn of_family(parent: u32) -> Result<Self> {
        let stat = ProcessStat::of(parent)?;
        let mut cpu_s = stat.own + stat.ended;
        for entry in fs::read_dir("/proc").context("/proc can't be read")? {
            let Some(child) = entry?.file_name().to_str().and_then(|name| name.parse().ok()) else {
                continue;
            };
            // The parent's counter of ended children will include a process that has just ended.
            cpu_s += ProcessStat::of(child)
                .ok()
                .filter(|child| child.parent == parent)
                .map_or(0.0, |child| child.own);
        }
        Ok(Self { cpu_s: rounded(cpu_s), peak_mb: 0.0 })
    }

    /// Returns the usage since an earlier one. The peak covers the whole lifetime.
    pub(crate) fn since(self, before: Self) -> Self {
        Self { cpu_s: rounded(self.cpu_s - before.cpu_s), ..self }
    }
}

/// Returns the parent of a process.
pub(super) fn parent(process: u32) -> Result<u32> {
    Ok(ProcessStat::of(process)?.parent)
}

struct ProcessStat {
    parent: u32,
    own: f64,
    /// The CPU time of ended children.
    ended: f64,
}

impl ProcessStat {
    fn of(process: u32) -> Result<Self> {
        let path = format!("/proc/{process}/stat");
        let text = fs::read_to_string(&path).with_context(|| format!("{path} can't be read"))?;
        // The second field is a name, which may contain any character.
        let fields: Vec<&str> = text.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let number = |nth: usize| -> Result<f64> {
            // The first remaining field is the third.
            let field = fields.get(nth - 3).with_context(|| format!("{path} has no field {nth}"))?;
            field.parse().with_context(|| format!("{path}: {field}"))
        };
        Ok(Self {
            parent: number(4)? as u32,
            own: (number(14)? + number(15)?) / TICKS_PER_SECOND,
            ended: (number(16)? + number(17)?) / TICKS_PER_SECOND,
        })
    }
}

/// Returns a field of a process's status, in the unit of the file.
fn status_field(process: u32, name: &str) -> Result<f64> {
    let path = format!("/proc/{process}/status");
    let status = fs::read_to_string(&path).with_context(|| format!("{path} can't be read"))?;
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let number = line.and_then(|rest| rest.trim().trim_end_matches(" kB").parse().ok());
    number.with_context(|| format!("{path} has no {name}"))
}

fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usage_includes_child_processes() {
        let own = Usage::of(std::process::id()).unwrap();
        assert!(own.peak_mb > 0.5, "{own:?}");
        let parent = parent(std::process::id()).unwrap();
        assert!(parent > 0 && parent != std::process::id());
        assert!(Usage::of_family(parent).unwrap().cpu_s >= own.cpu_s);
    }
}
