import { visibleText } from "@stemma/client";
import type { ReceiptRow } from "@stemma/core";
import { formatMoney, formatNumber } from "../data/format";
import { RUN_STRINGS } from "../strings/run-strings";
import { STRINGS } from "../strings/strings";
import { formatDuration } from "./format-duration";

/** Receipt of a run: each call of a model, who paid for it and why. */
export function RunReceipt({ rows }: { readonly rows: readonly ReceiptRow[] }) {
	const words = RUN_STRINGS;
	const columns = words.receiptColumns;
	if (rows.length === 0) return <p className="small">{words.noReceipt}</p>;
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard.
		<section className="scroll" aria-label={words.calls} tabIndex={0}>
			<table>
				<thead>
					<tr>
						{Object.entries(columns).map(([key, label]) => (
							<th key={key} scope="col">
								{label}
							</th>
						))}
					</tr>
				</thead>
				<tbody>
					{rows.map((row, index) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: rows are only added.
						<ReceiptLine key={index} row={row} />
					))}
				</tbody>
			</table>
		</section>
	);
}

function ReceiptLine({ row }: { readonly row: ReceiptRow }) {
	const { stage, node, model, vendor_host, payer, input_tokens, output_tokens } = row;
	const { estimated, cost, ms, reason } = row;
	const unpriced = payer === "none" ? "" : RUN_STRINGS.noPrice;
	return (
		<tr>
			<td>{stage}</td>
			<td>{visibleText(node ?? "")}</td>
			<td>
				{visibleText(model)}
				{vendor_host !== "" && <span className="small"> {visibleText(vendor_host)}</span>}
			</td>
			<td>{STRINGS.models.payers[payer]}</td>
			<td>
				{formatNumber(input_tokens)} + {formatNumber(output_tokens)}
				{estimated === true && <span className="small"> ({RUN_STRINGS.estimated})</span>}
			</td>
			<td>{cost === undefined ? unpriced : formatMoney(cost.amount, cost.currency)}</td>
			<td>{formatDuration(ms)}</td>
			<td className="why">{visibleText(reason)}</td>
		</tr>
	);
}
