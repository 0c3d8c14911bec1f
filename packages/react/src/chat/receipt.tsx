import type { ReceiptRow } from "@stemma/client";
import { useChatContext } from "./chat-context";

/** Receipt of an answer: each call of a model, and who paid for it. Client keys get none. */
export function Receipt({ rows }: { readonly rows: readonly ReceiptRow[] }) {
	const { labels } = useChatContext();
	if (rows.length === 0) return null;
	const payers = new Set(rows.map(({ payer }) => payer));
	const charged = [...payers].filter((payer) => payer !== "none");
	return (
		<details className="stemma-receipt">
			<summary>
				{charged.length === 0 ? labels.nobodyPaid : `${labels.receipt}: ${charged.join(", ")}`}
			</summary>
			<ul>
				{rows.map((row, index) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: rows do not change.
					<li key={index}>
						{row.stage}: {row.model}, {row.input_tokens + row.output_tokens} {labels.tokens}, {row.payer},{" "}
						{row.ms} ms{row.cost && `, ${row.cost.amount} ${row.cost.currency}`}
					</li>
				))}
			</ul>
		</details>
	);
}
