import type { PlacePart } from '../../pipeline/record/place-part.js';

/** Returns the distinct words of a place for display (上海 is a region and a city; decision 22). */
export function placeWords({ country, region, city }: PlacePart): string[] {
  return [...new Set([country, region, city])].filter((word) => word !== '');
}

/** Joins the words of a place and the name of the operator, without empty or repeated ones. */
export function locationOf(place: PlacePart, isp: string): string {
  return [...new Set([...placeWords(place), isp])].filter((word) => word !== '').join(' ');
}
