import { createServer } from "node:net";

/** How many ports a process gets. The last one is taken by its test, and says that the others are its own. */
const each = 64;
/** Below the ports that the system gives to whoever asks for any. */
const [first, ranges] = [10_000, 340];

/**
 * The first of the ports of a process that a test ends and starts again. They are kept until this process ends: nobody
 * else who asks here, in whatever run of the tests, gets one of them meanwhile.
 */
export async function ownPorts(): Promise<number> {
  for (;;) {
    const port = first + each * Math.floor(Math.random() * ranges);
    if (await take(port + each - 1)) return port;
  }
}

/** Listens on a port for as long as this process lives; false when somebody does already. */
const take = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer().unref();
    server.once("error", () => resolve(false));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => resolve(true));
  });
