/** An object of which only its names are known. */
export type Members = Readonly<Record<string, unknown>>;

/** True for an object that is no list. */
export function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The members of a value; none if it is no object, or a list. */
export function membersOf(value: unknown): Members {
  return isMembers(value) ? value : {};
}

/** A member that the object itself has: not `constructor` and the like, which every object inherits. */
export function ownMember<Value>(members: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

/** Without the members that are undefined. */
export function definedMembers<Value extends object>(
  value: {
    readonly [Name in keyof Value]: Value[Name] | undefined;
  },
): Value {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Value;
}

/** An object with one member, to be spread into another; without any if the value is undefined. */
export function optionalMember<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [Key in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [Key in Name]: Value });
}
