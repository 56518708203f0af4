import {
  CreateSecretCommand,
  DeleteSecretCommand,
  GetSecretValueCommand,
  InvalidRequestException,
  PutSecretValueCommand,
  ResourceExistsException,
  ResourceNotFoundException,
  RestoreSecretCommand,
  type SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import type { Clock } from "../../clock.ts";
import { AppError } from "../../error.ts";
import type { Secrets } from "./secrets.ts";

/**
 * Secrets Manager. Reading, writing and removing are apart, so that a function's bundle, and with
 * it its role, has only what it does.
 */
export interface SecretsManagerOptions {
  client: SecretsManagerClient;
  /** Stands before every reference, such as `slipway/prod/`; policies name it. */
  prefix: string;
}

/** A value is remembered this long, so that a worker does not ask for each step (milliseconds). */
const remembered = 5 * 60_000;
/** Values remembered at most. */
const mostRemembered = 100;
/** Removed by mistake, it can be had back for this many days: the least that AWS offers. */
const recoveryDays = 7;

/** One that is being removed counts as absent. */
export function secretReading(
  { client, prefix }: SecretsManagerOptions,
  wall: Clock,
): Pick<Secrets, "get"> {
  const known = new Map<string, { value: string; until: number }>();
  return {
    async get(reference) {
      const hit = known.get(reference);
      if (hit && hit.until > wall.now()) return hit.value;
      known.delete(reference);
      const found = await asked(
        client.send(new GetSecretValueCommand({ SecretId: prefix + reference })),
        isAbsent,
      );
      const value = found?.SecretString;
      if (value === undefined) return undefined;
      known.set(reference, { value, until: wall.now() + remembered });
      const [oldest] = known.keys();
      if (known.size > mostRemembered && oldest !== undefined) known.delete(oldest);
      return value;
    },
  };
}

export interface SecretWritingOptions extends SecretsManagerOptions {
  /** The key that encrypts new secrets; absent for the account's own. */
  key?: string;
}

/** Nearly every reference is new, so it is created first. */
export function secretWriting(options: SecretWritingOptions): Pick<Secrets, "put"> {
  const { client, prefix, key } = options;
  return {
    async put(reference, value) {
      const SecretId = prefix + reference;
      const created = await asked(
        client.send(
          new CreateSecretCommand({
            Name: SecretId,
            SecretString: value,
            ...(key !== undefined && { KmsKeyId: key }),
          }),
        ),
        // The latter: it is there, and being removed.
        (error) =>
          error instanceof ResourceExistsException || error instanceof InvalidRequestException,
      );
      if (created) return;
      const update = () =>
        client.send(new PutSecretValueCommand({ SecretId, SecretString: value }));
      const updated = await asked(update(), (error) => error instanceof InvalidRequestException);
      if (updated) return;
      await asked(client.send(new RestoreSecretCommand({ SecretId })));
      await asked(update());
    },
  };
}

export function secretRemoval({ client, prefix }: SecretsManagerOptions): Pick<Secrets, "remove"> {
  return {
    async remove(reference) {
      await asked(
        client.send(
          new DeleteSecretCommand({
            SecretId: prefix + reference,
            RecoveryWindowInDays: recoveryDays,
          }),
        ),
        isAbsent,
      );
    },
  };
}

const isAbsent = (error: unknown): boolean =>
  error instanceof ResourceNotFoundException ||
  (error instanceof InvalidRequestException && /marked for deletion/i.test(error.message));

/** Undefined for errors that are fine. AWS's words name the secret and its key, so they stay in the log. */
async function asked<T>(
  call: Promise<T>,
  fine: (error: unknown) => boolean = () => false,
): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (fine(error)) return undefined;
    throw new AppError("Unavailable", "the secret store cannot be used", { cause: error });
  }
}
