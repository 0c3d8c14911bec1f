/** What is used of a Standard Schema. */
export interface StandardSchemaV1<Output> {
	readonly "~standard": { readonly validate: (value: unknown) => { readonly value: Output } };
}
