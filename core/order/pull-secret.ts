import * as z from "zod";

const dockerConfigSchema = z.object({ auths: z.record(z.string().min(1), z.looseObject({})) });

/**
 * What is wrong with a pull secret: it must be a docker config JSON with credentials of at least one
 * registry, else the hub refuses it when hosts are long taken. Never quotes it.
 */
export function pullSecretFault(text: string): string | undefined {
  const config = dockerConfigSchema.safeParse(parsed(text)).data;
  if (config && Object.keys(config.auths).length > 0) return undefined;
  return 'must be a docker config JSON, such as {"auths": {"quay.io": {"auth": "..."}}}';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
