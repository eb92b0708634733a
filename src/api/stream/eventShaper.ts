/** Changes the events of one stream. `end` returns an event with what was held back, if there is anything. */
export interface EventShaper<Event> {
  add(event: Event): Event;
  end(): Event | undefined;
}
