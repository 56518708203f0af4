/**
 * Listens on the first free port from this one on. 0 means any; the system may assign that one to others too while
 * nobody listens on it.
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
