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
 * Secrets Manager. Reading, writing and removing are separate, so that a function's bundle and its role
 * include only the parts that it uses.
 */
export interface SecretsManagerOptions {
  client: SecretsManagerClient;
  /** The prefix of every reference, such as `slipway/prod/`; IAM policies refer to it. */
  prefix: string;
}

/** How long a value is cached, so that a worker does not read it for each step (milliseconds). */
const remembered = 5 * 60_000;
/** The most values that are cached. */
const mostRemembered = 100;
/** The days in which a removed secret can be restored: AWS's minimum. */
const recoveryDays = 7;

/** A secret that is scheduled for deletion counts as absent. */
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
  /** The key that encrypts new secrets; the account's own by default. */
  key?: string;
}

/** Creates first, because nearly every reference is new. */
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
        // The secret exists, or is scheduled for deletion.
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

/**
 * Answers undefined for errors that `fine` accepts. AWS's messages name the secret and its key, so they
 * appear only in the log.
 */
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
