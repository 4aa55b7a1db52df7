// Loaded before a server: it answers each message of its parent with the microseconds of CPU that its process has taken.
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send(user + system);
});
