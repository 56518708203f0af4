import type { NetworkClass } from "./model.ts";

/** The members of a class that tenants see. */
export function classTextShown({ spec }: NetworkClass) {
  const { title, description, implementation_strategy, is_default } = spec;
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    implementation_strategy,
    is_default,
    capabilities: {
      supports_ipv4: true,
      supports_ipv6: true,
      supports_dual_stack: true,
      dpu_support: implementation_strategy === "overlay",
    },
  };
}

/** The settings of a class, which only the provider sees. */
export function classSettingsShown({ spec }: NetworkClass) {
  const {
    title: _,
    description: __,
    implementation_strategy: ___,
    is_default: ____,
    ...rest
  } = spec;
  return rest;
}
