import type { UsageQuery } from "@stemma/client";
import { omitUndefined } from "@stemma/core/internal";
import { type ServiceCommandOptions, withService } from "../connection/with-service";
import { print } from "../terminal/print";
import type { Terminal } from "../terminal/terminal";
import { formatUsage } from "../usage/format-usage";

/** Options of `stemma usage`. */
export interface UsageCommandOptions extends ServiceCommandOptions, UsageQuery {}

export async function showUsage(
	terminal: Terminal,
	{ from, to, payer, stage, ...options }: UsageCommandOptions,
): Promise<void> {
	const query = omitUndefined({ from, to, payer, stage });
	const result = await withService(options, ({ usage }) => usage(query));
	print(terminal, options, result, () => formatUsage(result));
}
