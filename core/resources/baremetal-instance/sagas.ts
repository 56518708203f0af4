/** The names of the sagas on instances, for code that starts them without knowing their steps. */
export const instanceSagas = {
  create: "instance-provision",
  networking: "instance-networking",
  restart: "instance-restart",
  reinstall: "instance-reinstall",
  repair: "instance-repair",
  delete: "instance-release",
} as const;
