import { rm } from "node:fs/promises";
import type { Service } from "../assemble-service";
import type { Configuration } from "../configuration/configuration";
import type { ServiceOptions } from "../create-service";
import type * as source from "../index";
import { isOnPostgres } from "./test-database";

/** True in the project whose deployments have two instances on one database. */
const hasTwoInstances = (): boolean => process.env.STEMMA_TEST_INSTANCES === "2" && isOnPostgres();

/**
 * True where a test of what each instance does by itself is skipped, since its requests go to two of them.
 *
 * @param _reason - what each instance does by itself.
 */
export const isAboutOneInstance = (_reason: string): boolean => hasTwoInstances();

/** Creates the service of a test; in that project, two of them: each request goes to the one that had the last but one. */
export async function createTestService(
	{ createService }: Pick<typeof source, "createService">,
	configuration: Configuration,
	options?: ServiceOptions,
): Promise<Service> {
	const first = await createService(configuration, options);
	if (!hasTwoInstances()) return first;
	const data = `${configuration.data}-second`;
	const second = await createService({ ...configuration, data }, options);
	let isFirst = false;
	return {
		...first,
		fetch(request, connection) {
			isFirst = !isFirst;
			return (isFirst ? first : second).fetch(request, connection);
		},
		async close(graceMs) {
			await Promise.all([first.close(graceMs), second.close(graceMs)]);
			await rm(data, { recursive: true, force: true });
		},
	};
}
