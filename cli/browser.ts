import { spawn } from "node:child_process";
import { once } from "node:events";

/** Shows an address in a browser, by the operating system's program for that. */

const openers: Partial<Record<NodeJS.Platform, string>> = { darwin: "open", linux: "xdg-open" };

/** False where no browser is available. Throws for an address that is not a web page. */
export async function browse(url: string): Promise<boolean> {
  if (!/^https?:$/.test(new URL(url).protocol))
    throw new Error(`${url} is not the address of a web page`);
  const program = openers[process.platform];
  if (program === undefined) return false;
  const child = spawn(program, [url], { stdio: "ignore" });
  return once(child, "close").then(
    ([code]) => code === 0,
    () => false,
  );
}
