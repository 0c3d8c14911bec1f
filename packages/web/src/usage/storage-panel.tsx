import type { StorageUsage } from "@stemma/client";
import { formatBytes, formatNumber } from "../data/format";
import { ADMIN_STRINGS } from "../strings/admin-strings";

const KINDS = ["bytes", "documents", "runs"] as const;

/** Storage of the workspace, and how much of it is left. */
export function StoragePanel({ storage }: { readonly storage: StorageUsage }) {
	const words = ADMIN_STRINGS.usage;
	return (
		<section className="panel" aria-label={words.storage}>
			<h2>{words.storage}</h2>
			<div className="storage">
				{KINDS.map((kind) => {
					const format = kind === "bytes" ? formatBytes : formatNumber;
					const [used, max] = [storage[kind], storage[`max_${kind}`]];
					const text = words.stored(format(used), format(max));
					return (
						<div key={kind}>
							<p>
								<strong>{words.storageNames[kind]}</strong> <span className="small">{text}</span>
							</p>
							<progress
								value={used}
								max={Math.max(1, max)}
								aria-label={words.storageNames[kind]}
								aria-valuetext={text}
							/>
						</div>
					);
				})}
			</div>
		</section>
	);
}
