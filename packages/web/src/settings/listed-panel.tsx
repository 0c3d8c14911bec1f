import type { ReactNode } from "react";
import type { ListResource } from "../data/use-list";
import { ErrorNotice } from "../shell/error-notice";
import { STRINGS } from "../strings/strings";

interface ListedPanelProps<Item> {
	readonly title: string;
	/** Sentence where the list is empty. */
	readonly none: string;
	readonly list: ListResource<Item>;
	/** Error of the last change of an item. */
	readonly error?: unknown;
	readonly renderItem: (item: Item) => ReactNode;
}

/** List of the service in a panel, with its errors and the button for more. */
export function ListedPanel<Item>({ title, none, list, error, renderItem }: ListedPanelProps<Item>) {
	const { value, isLoading, reload, showMore } = list;
	return (
		<section className="panel" aria-label={title}>
			<h2>{title}</h2>
			<ErrorNotice error={list.error ?? error} onRetry={() => void reload()} />
			{value === undefined && isLoading && <p role="status">{STRINGS.app.loading}</p>}
			{value?.data.length === 0 && <p className="faint">{none}</p>}
			<ul className="people">{value?.data.map(renderItem)}</ul>
			{value?.has_more && (
				<button type="button" disabled={isLoading} onClick={showMore}>
					{STRINGS.app.more}
				</button>
			)}
		</section>
	);
}
