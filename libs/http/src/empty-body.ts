/** The body of a delete: none, or `{}`. Any field in it is refused by name. */
export class EmptyBody {}
