import type { StepContext } from "../../../core/kernel/saga/context.ts";
import type { BaremetalInstance } from "../../../core/resources/baremetal-instance/model.ts";

/** Publishes that the tenant has a server. */
export async function publishInstance(
  _: BaremetalInstance,
  { change }: StepContext<BaremetalInstance>,
): Promise<void> {
  await change((instance) => (instance.published ? undefined : { ...instance, published: true }));
}

/** Withdraws the publication, so that the tenant no longer relies on the server. */
export async function unpublishInstance(
  _: BaremetalInstance,
  { change }: StepContext<BaremetalInstance>,
): Promise<void> {
  await change((instance) => (instance.published ? { ...instance, published: false } : undefined));
}

/** Removes the user data that came with the order. */
export async function forgetUserData(
  { spec }: BaremetalInstance,
  { deps }: StepContext<BaremetalInstance>,
): Promise<void> {
  if (spec.user_data !== undefined) await deps.secrets.remove(spec.user_data);
}
