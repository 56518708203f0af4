import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Secrets } from "./secrets.ts";

/**
 * Secrets in one file, each encrypted (AES-256-GCM) with a key in another file. For a single process, in
 * local mode.
 */
export function fileSecrets(paths: { file: string; key: string }): Secrets {
  const key = loadKey(paths.key);
  const sealed: Record<string, string> = existsSync(paths.file)
    ? JSON.parse(readFileSync(paths.file, "utf8"))
    : {};

  const save = () => {
    // Writes a second file and renames it, so that a crash leaves either the old or the new one.
    writePrivate(`${paths.file}.new`, JSON.stringify(sealed));
    renameSync(`${paths.file}.new`, paths.file);
  };
  return {
    get: async (reference) => {
      const box = sealed[reference];
      return box === undefined ? undefined : open(key, reference, box);
    },
    put: async (reference, value) => {
      sealed[reference] = seal(key, reference, value);
      save();
    },
    remove: async (reference) => {
      if (!(reference in sealed)) return;
      delete sealed[reference];
      save();
    },
  };
}

function loadKey(path: string): Buffer {
  if (!existsSync(path)) writePrivate(path, randomBytes(32).toString("base64"));
  return Buffer.from(readFileSync(path, "utf8"), "base64");
}

function writePrivate(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, text, { mode: 0o600 });
}

/** Authenticates the reference too, so that a value cannot be moved to another name. */
function seal(key: Buffer, reference: string, value: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(reference));
  const body = Buffer.concat([cipher.update(value, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64");
}

function open(key: Buffer, reference: string, box: string): string {
  const bytes = Buffer.from(box, "base64");
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12))
    .setAAD(Buffer.from(reference))
    .setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8");
}
