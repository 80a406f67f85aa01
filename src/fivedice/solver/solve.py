"""proto"""
from __future__ import annotations
import os
from concurrent.futures import ThreadPoolExecutor
import numpy as np
from fivedice.solver import kernels, plan

def aligned(shape):
    n=int(np.prod(shape)); a=np.empty(n+8); off=(-(a.ctypes.data//8))%8
    return a[off:off+n].reshape(shape)

def run(book):
    table=np.full(book.shape,np.nan)
    table[-1]=0; table[-1,:,book.threshold]=book.bonus
    e=plan.entries(book); b=plan.blocks(book); L=book.lattice
    turn=kernels.Turn(L.faces,L.successors.ravel(),L.predecessors,L.groups,L.weights,book.rolls-1)
    lad=book.ladder
    game=kernels.Game(L.first_roll,b.blocks,b.starts,book.upper,book.fixed_order,e.starts,e.rows,e.points,L.alike,book.alike,book.policy_box,book.extra,book.flag_after_extra,min(1,book.flags-1),lad.offers,lad.needs,lad.prices,lad.faces,lad.applies)
    width=-(-book.lanes//8)*8+max(int(book.plain.max()),int(book.alike.max()))
    width=-(-width//8)*8
    stop=np.zeros(1,np.int8)
    n=os.cpu_count()
    scr=[kernels.Scratch(aligned((L.rows*8,)),aligned((book.boxes,width)),aligned((book.boxes,width)),aligned((width,))) for _ in range(n)]
    import queue
    q=queue.SimpleQueue()
    for s in scr:q.put(s)
    def job(masks,kinds):
        s=q.get()
        try: kernels.solve_masks(table,masks,kinds,turn,game,s,stop)
        finally: q.put(s)
    with ThreadPoolExecutor(n) as pool:
        for masks in plan.layers(book):
            kinds=plan.kinds(book,masks)
            parts=max(1,min(len(masks),8*n))
            fs=[pool.submit(job,masks[i::parts].copy(),kinds[i::parts].copy()) for i in range(parts)]
            for f in fs:f.result()
    return table
