import { utcDate } from '../utc-date.js';
import { fieldOf, listOf, textOf } from './untrusted-json.js';

/** The dates of an object (RFC 9083 §4.5) as ISO 8601 in UTC, `''` where it has none. */
export interface EventDates {
  readonly creation_date: string;
  readonly expiry_date: string;
  readonly updated_date: string;
}

/** Reads them. `last update of RDAP database` is about the server and no date of the object. */
export function eventDatesOf(object: unknown): EventDates {
  const events = listOf(fieldOf(object, 'events'));
  const dateOf = (action: string): string => {
    const event = events.find((one) => textOf(fieldOf(one, 'eventAction')).toLowerCase() === action);
    return utcDate(textOf(fieldOf(event, 'eventDate')));
  };
  return {
    creation_date: dateOf('registration'),
    expiry_date: dateOf('expiration') || dateOf('registrar expiration'),
    updated_date: dateOf('last changed'),
  };
}
