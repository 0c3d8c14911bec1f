/** Role that owns the tables. */
export const OWNER = "stemma_owner";

/** Role that the service works with. */
export const APPLICATION = "stemma_app";

/** Migrated database that those of the test files are copies of. */
export const TEMPLATE = "stemma_template";

/** Server of a test run, as its files see it. */
export type TestServer =
	| {
			readonly isRunning: true;
			/** The extension `vector` is there. */
			readonly hasVectors: boolean;
			/** URL with `ROLE` and `DATABASE` in it. */
			readonly url: string;
	  }
	| { readonly isRunning: false; readonly reason: string };

declare module "vitest" {
	interface ProvidedContext {
		/** Server of the projects that are on Postgres; `undefined` in the others. */
		readonly postgres: TestServer | undefined;
	}
}
