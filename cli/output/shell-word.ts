import { quotedWord } from "../../core/kernel/input/shell.ts";
import { plainValue } from "./values.ts";

/**
 * A text from a server as one quoted word of a command that a person copies, so that no shell executes a part of
 * it.
 */
export const shellWord = (text: string): string => quotedWord(plainValue(text));
