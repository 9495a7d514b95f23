// Preloaded into every child (`node --import`): the child ends in its own orderly way when its parent is gone, even by
// kill -9. The channel must not by itself keep the child alive.
process.channel?.unref();
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// What the child still prints then has no reader: that is no fault of it.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
