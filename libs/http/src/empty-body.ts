/** The body of a delete: absent, or `{}`. Any field in it is refused by name. */
export class EmptyBody {}
