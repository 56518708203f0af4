import { createInterface } from "node:readline";

/** What somebody at the terminal answers to a question; nothing on Ctrl-C and Ctrl-D. */
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
