import { useEffect, useRef, useState } from "react";
import { formatNumber } from "../data/format";
import { STRINGS } from "../data/strings";
import { useResource } from "../data/use-resource";
import { type OpenPdf, openPdf, type PageSize } from "./open-pdf";
import { type PageBox, toMarkStyles } from "./page-marks";
import "./pdf-pages.css";

interface PdfPagesProps {
	/** Address of the file. */
	readonly url: string;
	/** Page to show first, from 1. */
	readonly firstPage: number;
	/** Boxes to mark; empty where the passage is not there any more. */
	readonly boxes: readonly PageBox[];
}

const ZOOMS = [1, 1.5, 2, 3] as const;

/** A PDF file page by page, as it was made, with the cited lines marked. */
export function PdfPages({ url, firstPage, boxes }: PdfPagesProps) {
	const words = STRINGS.viewer;
	const pdf = useResource(url, (signal) => openPdf(url, signal));
	const [shown, setShown] = useState(firstPage);
	const [zoom, setZoom] = useState(0);
	if (pdf.error !== undefined)
		return (
			<p className="notice bad" role="alert">
				{words.noPages}
			</p>
		);
	if (pdf.value === undefined) return <p role="status">{STRINGS.app.loading}</p>;
	const { pageCount } = pdf.value;
	const page = Math.min(shown, pageCount);
	return (
		<>
			<div className="row pdf-bar">
				<button
					type="button"
					className="icon"
					aria-label={words.previousPage}
					disabled={page === 1}
					onClick={() => setShown(page - 1)}
				>
					<span aria-hidden="true">‹</span>
				</button>
				<span className="small" role="status">
					{words.pageOf(formatNumber(page), formatNumber(pageCount))}
				</span>
				<button
					type="button"
					className="icon"
					aria-label={words.nextPage}
					disabled={page === pageCount}
					onClick={() => setShown(page + 1)}
				>
					<span aria-hidden="true">›</span>
				</button>
				<span className="person" />
				<button
					type="button"
					className="icon"
					aria-label={words.smaller}
					disabled={zoom === 0}
					onClick={() => setZoom(zoom - 1)}
				>
					<span aria-hidden="true">−</span>
				</button>
				<button
					type="button"
					className="icon"
					aria-label={words.larger}
					disabled={zoom === ZOOMS.length - 1}
					onClick={() => setZoom(zoom + 1)}
				>
					<span aria-hidden="true">+</span>
				</button>
			</div>
			<PdfPage
				key={page}
				pdf={pdf.value}
				page={page}
				label={words.pageOf(formatNumber(page), formatNumber(pageCount))}
				zoom={ZOOMS[zoom] ?? 1}
				boxes={boxes}
			/>
		</>
	);
}

interface PdfPageProps {
	readonly pdf: OpenPdf;
	readonly page: number;
	readonly label: string;
	/** Times the width of the panel. */
	readonly zoom: number;
	readonly boxes: readonly PageBox[];
}

/** Picture of a page, with its marks. */
function PdfPage({ pdf, page, label, zoom, boxes }: PdfPageProps) {
	const canvas = useRef<HTMLCanvasElement>(null);
	const [size, setSize] = useState<PageSize>();
	const [hasFailed, setFailed] = useState(false);
	// biome-ignore lint/correctness/useExhaustiveDependencies: a larger page is drawn again, with more pixels.
	useEffect(() => {
		const element = canvas.current;
		if (element === null) return;
		const controller = new AbortController();
		const { signal } = controller;
		const width = element.clientWidth * globalThis.devicePixelRatio;
		pdf.draw(page, element, width, signal).then(setSize, () => setFailed(!signal.aborted));
		return () => controller.abort();
	}, [pdf, page, zoom]);
	const marks = size === undefined ? [] : toMarkStyles(boxes, page, size);
	const first = useRef<HTMLElement>(null);
	useEffect(() => {
		if (size !== undefined) first.current?.scrollIntoView({ block: "center" });
	}, [size]);
	return (
		<div className="pdf-scroll">
			{hasFailed && <p className="notice bad">{STRINGS.viewer.noPages}</p>}
			<div className="pdf-page" style={{ width: `${zoom * 100}%` }} data-drawn={size !== undefined}>
				<canvas ref={canvas} role="img" aria-label={label} />
				{marks.map((style, index) => (
					<mark key={style.top + style.left} ref={index === 0 ? first : undefined} style={style} />
				))}
			</div>
		</div>
	);
}
