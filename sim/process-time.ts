/**
 * Real milliseconds that this process has had so far, for work and with nothing to do. Those in which
 * it had work and the machine gave it no CPU are left out.
 */
export function processTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + performance.eventLoopUtilization().idle;
}
