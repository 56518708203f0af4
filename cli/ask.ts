import { createInterface } from "node:readline";

/** The answer of the person at the terminal; empty on Ctrl-C and Ctrl-D. */
export async function askPerson(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    lines.once("close", () => resolve(""));
    lines.once("SIGINT", () => lines.close());
    lines.question(question, (answer) => {
      resolve(answer);
      lines.close();
    });
  });
}
