// Says in the header whether the business is open now, by its hours and the clock of its time zone.
(() => {
  'use strict';
  const DAY = 1440, WEEK = 7 * DAY, DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

  // Minutes since Monday began, there.
  function now(zone) {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, weekday: 'short', hour: 'numeric', minute: 'numeric', hourCycle: 'h23' });
    const part = Object.fromEntries(format.formatToParts().map(({ type, value }) => [type, value]));
    return DAYS.indexOf(part.weekday) * DAY + Number(part.hour) * 60 + Number(part.minute);
  }

  function say(line) {
    const { zone, week, days, open, closed } = line.dataset, minute = now(zone);
    // Each time of opening: its day, both times in minutes of that day, and as they are written. Until six may be after midnight.
    const until = ([day, from, to]) => day * DAY + to + (to > from ? 0 : DAY), start = ([day, from]) => day * DAY + from;
    const all = JSON.parse(week), is = time => [minute, minute + WEEK].some(at => start(time) <= at && at < until(time));
    const current = all.find(is), wait = time => (start(time) - minute + WEEK) % WEEK;
    const next = all.reduce((first, time) => wait(time) < wait(first) ? time : first);
    line.textContent = current ? open.replace('{time}', current[4]) : closed.replace('{day}', days.split('|')[next[0]]).replace('{time}', next[3]);
    line.classList.toggle('now', !!current);
    line.classList.toggle('closed', !current);
  }

  document.addEventListener('DOMContentLoaded', () => {
    const line = document.querySelector('.open');
    if (!line) return;
    say(line);
    setInterval(say, 60000, line);
  });
})();
