import ExternalLink from "lucide-react/icons/external-link";
import MapPin from "lucide-react/icons/map-pin";
import * as m from "messages/forms";
import { useState } from "react";
import type { Spot } from "../../lib/api.gen";
import { Button } from "../../ui/button";
import { MapDrawing } from "./internal/map-drawing";
import styles from "./location-map.module.css";

const OSM = "https://www.openstreetmap.org";
// The size of the map's section, in degrees.
const ACROSS = 0.012;
const DOWN = 0.006;

type Props = { spot: Spot; address: string };

// A placeholder for the map. The real one is loaded from another company on a click; only this
// page's Content-Security-Policy allows it.
export function LocationMap({ spot, address }: Props) {
  const [shown, setShown] = useState(false);
  return (
    <section className={styles.place} aria-labelledby="map">
      <h2 className="visually-hidden" id="map">
        {m.map()}
      </h2>
      <div className={styles.frame}>
        {shown ? (
          <iframe title={m.mapOf({ address })} src={embedUrl(spot)} />
        ) : (
          <>
            <MapDrawing />
            <div className={styles.ask}>
              <Button onClick={() => setShown(true)}>
                <MapPin size={18} strokeWidth={1.5} aria-hidden />
                {m.showMap()}
              </Button>
              <p>{m.mapSource()}</p>
            </div>
          </>
        )}
      </div>
      <p className={styles.caption}>
        <span>{address}</span>
        <a href={outsideUrl(spot)} rel="noopener" target="_blank">
          {m.openMap()}
          <ExternalLink size={16} strokeWidth={1.5} aria-hidden />
        </a>
      </p>
    </section>
  );
}

function embedUrl({ latitude, longitude }: Spot): string {
  const box = [longitude - ACROSS, latitude - DOWN, longitude + ACROSS, latitude + DOWN];
  const bbox = box.map((degrees) => degrees.toFixed(5)).join(",");
  const query = new URLSearchParams({ bbox, layer: "mapnik", marker: `${latitude},${longitude}` });
  return `${OSM}/export/embed.html?${query}`;
}

function outsideUrl({ latitude, longitude }: Spot): string {
  return `${OSM}/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`;
}
