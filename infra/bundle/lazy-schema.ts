/** A proxy of a schema, which creates the schema when a member is first read. */
export function lazySchema<Schema extends object>(make: () => Schema): Schema {
  let made: Schema | undefined;
  const schema = () => {
    made ??= make();
    return made;
  };
  // The target only provides the type; none of its members is ever read.
  return new Proxy({} as Schema, {
    get: (_, name) => Reflect.get(schema(), name),
    set: (_, name, value) => Reflect.set(schema(), name, value),
    has: (_, name) => Reflect.has(schema(), name),
    getPrototypeOf: () => Reflect.getPrototypeOf(schema()),
    defineProperty: (_, name, descriptor) => Reflect.defineProperty(schema(), name, descriptor),
    ownKeys: () => Reflect.ownKeys(schema()),
    // A proxy may not report a property as permanent that its target lacks.
    getOwnPropertyDescriptor: (_, name) => {
      const descriptor = Reflect.getOwnPropertyDescriptor(schema(), name);
      return descriptor && { ...descriptor, configurable: true };
    },
  });
}
