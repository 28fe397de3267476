//! The process and the program, for `/metrics`, by the names that Prometheus's libraries use.

use jiff::Timestamp;
use metrics::{describe_gauge, gauge};

const BUILD_INFO: &str = "candor_build_info";
const START: &str = "process_start_time_seconds";

/// Records the version, the start, and on Linux the resources of the process.
pub(crate) fn record(started: Timestamp) {
    describe_gauge!(BUILD_INFO, "1, with the version of the program");
    gauge!(BUILD_INFO, "version" => env!("CARGO_PKG_VERSION")).set(1.0);
    describe_gauge!(START, "When the process started, as a Unix time");
    gauge!(START).set(started.as_second() as f64);
    #[cfg(target_os = "linux")]
    if let Err(error) = linux() {
        tracing::debug!(%error, "cannot read what the process uses");
    }
}

#[cfg(target_os = "linux")]
fn linux() -> procfs::ProcResult<()> {
    use metrics::{counter, describe_counter};
    use procfs::process::{LimitValue, Process};

    const CPU: &str = "process_cpu_seconds_total";
    let process = Process::myself()?;
    let stat = process.stat()?;
    describe_counter!(CPU, "Processor time that was used, in whole seconds");
    counter!(CPU).absolute((stat.utime + stat.stime) / procfs::ticks_per_second());
    let mut values = vec![
        ("process_resident_memory_bytes", "Memory in use", stat.rss * procfs::page_size()),
        ("process_virtual_memory_bytes", "Addresses in use", stat.vsize),
        ("process_threads", "Threads", u64::try_from(stat.num_threads).unwrap_or_default()),
        ("process_open_fds", "Open files and sockets", process.fd_count()? as u64),
    ];
    if let LimitValue::Value(limit) = process.limits()?.max_open_files.soft_limit {
        values.push(("process_max_fds", "Files and sockets that may be open", limit));
    }
    for (name, help, value) in values {
        describe_gauge!(name, help);
        gauge!(name).set(value as f64);
    }
    Ok(())
}
