/** A check that was not finished. The message is a sentence for the caller who sent the schema. */
export class SchemaCheckError extends Error {}
