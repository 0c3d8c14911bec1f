import { findLast, flatten, readStages } from "../../deploy/read-dockerfile.ts";

/** Options that an image starts Node with; files of variables are none of the trial's. */
export async function readNodeOptions(target: "service" | "runtime"): Promise<string[]> {
	const { args = [] } = findLast(flatten(await readStages(), target), "ENTRYPOINT") ?? {};
	return args.filter((arg) => arg.startsWith("--") && !arg.startsWith("--env-file"));
}
