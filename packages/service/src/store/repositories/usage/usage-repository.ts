import type { UsageRepository } from "../../../usage/usage-repository";
import type { Database } from "../../database";

/** Usage of a workspace. */
export const createUsageRepository = ({ readJob }: Pick<Database<unknown>, "readJob">): UsageRepository => ({
	read: (input, limit) => readJob("selectUsage", { ...input, limit }),
});
