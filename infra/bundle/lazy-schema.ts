/** Stands for a schema, and makes it when something of it is first asked for. */
export function lazySchema<Schema extends object>(make: () => Schema): Schema {
  let made: Schema | undefined;
  const schema = () => {
    made ??= make();
    return made;
  };
  // Nothing of the target is ever asked for: it only has the type.
  return new Proxy({} as Schema, {
    get: (_, name) => Reflect.get(schema(), name),
    set: (_, name, value) => Reflect.set(schema(), name, value),
    has: (_, name) => Reflect.has(schema(), name),
    getPrototypeOf: () => Reflect.getPrototypeOf(schema()),
    defineProperty: (_, name, descriptor) => Reflect.defineProperty(schema(), name, descriptor),
    ownKeys: () => Reflect.ownKeys(schema()),
    // What the target does not have cannot be said to stay for ever.
    getOwnPropertyDescriptor: (_, name) => {
      const descriptor = Reflect.getOwnPropertyDescriptor(schema(), name);
      return descriptor && { ...descriptor, configurable: true };
    },
  });
}
