// Preloaded into every child (`node --import`), so that it shuts down in order when its parent is gone, even after
// kill -9. The IPC channel alone must not keep the child alive.
process.channel?.unref();
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// Nobody reads the output of an orphan; writing it must not raise an error.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
