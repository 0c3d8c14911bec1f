import { randomBytes } from "node:crypto";
import type { Database } from "./database";
import type { DeploymentTables } from "./deployment-tables";

const SECRET_BYTES = 32;

/** A secret of this deployment alone: made when it is first asked for, and the same ever after. */
export async function getOrCreateDeploymentSecret(
	{ write }: Database<DeploymentTables>,
	name: string,
): Promise<Uint8Array> {
	await write
		.insertInto("deployment_secrets")
		.values({ name, value: randomBytes(SECRET_BYTES) })
		.onConflict((conflict) => conflict.doNothing())
		.execute();
	const { value } = await write
		.selectFrom("deployment_secrets")
		.select("value")
		.where("name", "=", name)
		.executeTakeFirstOrThrow();
	return value;
}
