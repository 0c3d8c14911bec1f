import { formatNumber } from "../data/format";
import type { PagedList } from "../data/use-paged-list";
import { STRINGS } from "../strings/strings";

/** Buttons to the next and the previous page of a list; nothing where it has one page. */
export function PageTurner<Item>({ list }: { readonly list: PagedList<Item> }) {
	const { page, value, isLoading, showNext, showPrevious } = list;
	const hasNext = value?.has_more ?? false;
	if (page === 1 && !hasNext) return null;
	return (
		<nav className="row end" aria-label={STRINGS.app.pagesOfList}>
			<span className="small" role="status">
				{STRINGS.app.pageOfList(formatNumber(page))}
			</span>
			<button type="button" disabled={page === 1} onClick={showPrevious}>
				{STRINGS.app.previousPage}
			</button>
			<button type="button" disabled={isLoading || !hasNext} onClick={showNext}>
				{STRINGS.app.nextPage}
			</button>
		</nav>
	);
}
