/**
 * Listens on the first port from this one on that nobody has. 0 means any: the one that the system
 * gives, which it gives to others too while nobody listens there.
 */
export async function onFreePort<Server>(
  first: number,
  listen: (port: number) => Promise<Server>,
): Promise<Server> {
  for (let port = first; ; port += 1) {
    try {
      return await listen(port);
    } catch (error) {
      const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
      if (first === 0 || !isTaken) throw error;
    }
  }
}
