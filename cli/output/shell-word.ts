import { quotedWord } from "../../core/kernel/input/shell.ts";
import { plainValue } from "./values.ts";

/** A word of a command that a person copies, as every shell reads it: what a server has answered is never run. */
export const shellWord = (text: string): string => quotedWord(plainValue(text));
