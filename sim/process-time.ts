/** Real milliseconds in which this process has run or been idle so far, without those in which it waited for a CPU. */
export function processTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + performance.eventLoopUtilization().idle;
}
