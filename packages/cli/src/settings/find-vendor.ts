import type { LlmProvider } from "@stemma/client";
import { ConfigurationError } from "@stemma/core/errors";
import { closestName } from "@stemma/core/internal";

/** The vendor of that id. @throws ConfigurationError when the catalogue has none, with what was probably meant. */
export function findVendor(id: string, all: readonly LlmProvider[]): LlmProvider {
	const found = all.find((vendor) => vendor.id === id);
	if (found !== undefined) return found;
	const ids = all.map((vendor) => vendor.id);
	const suggestion = closestName(id, ids);
	throw new ConfigurationError(
		`The catalogue has no vendor "${id}".${suggestion === undefined ? "" : ` Did you mean "${suggestion}"?`}`,
		{
			code: "vendor_not_found",
			hint: `There are ${ids.join(", ")}. Any other endpoint is named with --provider and --base-url.`,
		},
	);
}
